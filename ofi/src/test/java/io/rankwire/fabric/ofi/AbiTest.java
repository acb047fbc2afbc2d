package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A C program, compiled with the headers of libfabric, prints what each number of {@link Abi} should be. */
final class AbiTest {
    private static final String HEADERS = """
            #include <stdio.h>
            #include <stddef.h>
            #include <sys/uio.h>
            #include <rdma/fabric.h>
            #include <rdma/fi_domain.h>
            #include <rdma/fi_endpoint.h>
            #include <rdma/fi_cm.h>
            #include <rdma/fi_eq.h>
            #include <rdma/fi_errno.h>
            #include <rdma/fi_rma.h>
            #include <rdma/fi_tagged.h>
            #include <rdma/fi_atomic.h>
            #include <rdma/fi_trigger.h>
            """;

    /** By the name of our number: a structure and its field, or any other expression of C. */
    private static final String EXPRESSIONS = """
            FID_OPS fid.ops
            OBJECT_OPS fid_domain.ops
            OBJECT_OPS fid_fabric.ops
            OBJECT_OPS fid_ep.ops
            OBJECT_OPS fid_cq.ops
            OBJECT_OPS fid_av.ops
            OBJECT_OPS fid_cntr.ops
            DOMAIN_MR fid_domain.mr
            EP_CM fid_ep.cm
            EP_MSG fid_ep.msg
            EP_RMA fid_ep.rma
            EP_TAGGED fid_ep.tagged
            EP_ATOMIC fid_ep.atomic
            MR_DESC fid_mr.mem_desc
            MR_KEY fid_mr.key
            FID_CLOSE fi_ops.close
            FID_BIND fi_ops.bind
            FID_CONTROL fi_ops.control
            FABRIC_DOMAIN fi_ops_fabric.domain
            DOMAIN_AV_OPEN fi_ops_domain.av_open
            DOMAIN_CQ_OPEN fi_ops_domain.cq_open
            DOMAIN_ENDPOINT fi_ops_domain.endpoint
            DOMAIN_CNTR_OPEN fi_ops_domain.cntr_open
            DOMAIN_QUERY_ATOMIC fi_ops_domain.query_atomic
            MR_REG fi_ops_mr.reg
            AV_INSERT fi_ops_av.insert
            AV_REMOVE fi_ops_av.remove
            EP_CANCEL fi_ops_ep.cancel
            EP_SETOPT fi_ops_ep.setopt
            CM_GETNAME fi_ops_cm.getname
            MSG_RECV fi_ops_msg.recv
            MSG_RECVMSG fi_ops_msg.recvmsg
            MSG_SEND fi_ops_msg.send
            MSG_SENDMSG fi_ops_msg.sendmsg
            MSG_INJECT fi_ops_msg.inject
            MSG_RECV fi_ops_tagged.recv
            MSG_RECVMSG fi_ops_tagged.recvmsg
            MSG_SEND fi_ops_tagged.send
            MSG_SENDMSG fi_ops_tagged.sendmsg
            MSG_INJECT fi_ops_tagged.inject
            RMA_READ fi_ops_rma.read
            RMA_READMSG fi_ops_rma.readmsg
            RMA_WRITE fi_ops_rma.write
            RMA_WRITEMSG fi_ops_rma.writemsg
            ATOMIC_WRITE fi_ops_atomic.write
            ATOMIC_READWRITE fi_ops_atomic.readwrite
            ATOMIC_COMPWRITE fi_ops_atomic.compwrite
            CQ_READ fi_ops_cq.read
            CQ_READERR fi_ops_cq.readerr
            CNTR_READ fi_ops_cntr.read
            CNTR_READERR fi_ops_cntr.readerr
            CNTR_ADD fi_ops_cntr.add
            CNTR_SET fi_ops_cntr.set
            INFO_NEXT fi_info.next
            INFO_CAPS fi_info.caps
            INFO_MODE fi_info.mode
            INFO_ADDR_FORMAT fi_info.addr_format
            INFO_TX fi_info.tx_attr
            INFO_RX fi_info.rx_attr
            INFO_EP fi_info.ep_attr
            INFO_DOMAIN fi_info.domain_attr
            INFO_FABRIC fi_info.fabric_attr
            TX_OP_FLAGS fi_tx_attr.op_flags
            TX_MSG_ORDER fi_tx_attr.msg_order
            TX_INJECT_SIZE fi_tx_attr.inject_size
            TX_SIZE fi_tx_attr.size
            TX_IOV_LIMIT fi_tx_attr.iov_limit
            RX_MSG_ORDER fi_rx_attr.msg_order
            RX_SIZE fi_rx_attr.size
            EP_TYPE fi_ep_attr.type
            EP_PROTOCOL fi_ep_attr.protocol
            EP_MAX_MSG_SIZE fi_ep_attr.max_msg_size
            DOMAIN_NAME fi_domain_attr.name
            DOMAIN_THREADING fi_domain_attr.threading
            DOMAIN_CONTROL_PROGRESS fi_domain_attr.control_progress
            DOMAIN_DATA_PROGRESS fi_domain_attr.data_progress
            DOMAIN_RESOURCE_MGMT fi_domain_attr.resource_mgmt
            DOMAIN_AV_TYPE fi_domain_attr.av_type
            DOMAIN_MR_MODE fi_domain_attr.mr_mode
            DOMAIN_MR_KEY_SIZE fi_domain_attr.mr_key_size
            FABRIC_NAME fi_fabric_attr.name
            FABRIC_PROV_NAME fi_fabric_attr.prov_name
            AV_ATTR sizeof(struct fi_av_attr)
            AV_ATTR_TYPE fi_av_attr.type
            AV_ATTR_COUNT fi_av_attr.count
            CQ_ATTR sizeof(struct fi_cq_attr)
            CQ_ATTR_SIZE fi_cq_attr.size
            CQ_ATTR_FORMAT fi_cq_attr.format
            CQ_ATTR_WAIT_OBJ fi_cq_attr.wait_obj
            CNTR_ATTR sizeof(struct fi_cntr_attr)
            ENTRY sizeof(struct fi_cq_tagged_entry)
            ENTRY_CONTEXT fi_cq_tagged_entry.op_context
            ENTRY_FLAGS fi_cq_tagged_entry.flags
            ENTRY_LEN fi_cq_tagged_entry.len
            ENTRY_BUF fi_cq_tagged_entry.buf
            ENTRY_DATA fi_cq_tagged_entry.data
            ENTRY_TAG fi_cq_tagged_entry.tag
            ENTRY_CONTEXT fi_cq_err_entry.op_context
            ENTRY_FLAGS fi_cq_err_entry.flags
            ERROR_ERR fi_cq_err_entry.err
            ERROR_PROV_ERRNO fi_cq_err_entry.prov_errno
            IOVEC sizeof(struct iovec)
            MSG sizeof(struct fi_msg)
            MSG_IOV fi_msg.msg_iov
            MSG_DESC fi_msg.desc
            MSG_IOV_COUNT fi_msg.iov_count
            MSG_ADDR fi_msg.addr
            MSG_CONTEXT fi_msg.context
            MSG_DATA fi_msg.data
            TAGGED sizeof(struct fi_msg_tagged)
            MSG_IOV fi_msg_tagged.msg_iov
            MSG_DESC fi_msg_tagged.desc
            MSG_IOV_COUNT fi_msg_tagged.iov_count
            MSG_ADDR fi_msg_tagged.addr
            TAGGED_TAG fi_msg_tagged.tag
            TAGGED_IGNORE fi_msg_tagged.ignore
            TAGGED_CONTEXT fi_msg_tagged.context
            TAGGED_DATA fi_msg_tagged.data
            RMA sizeof(struct fi_msg_rma)
            MSG_IOV fi_msg_rma.msg_iov
            MSG_DESC fi_msg_rma.desc
            MSG_IOV_COUNT fi_msg_rma.iov_count
            MSG_ADDR fi_msg_rma.addr
            RMA_IOV fi_msg_rma.rma_iov
            RMA_IOV_COUNT fi_msg_rma.rma_iov_count
            RMA_CONTEXT fi_msg_rma.context
            RMA_DATA fi_msg_rma.data
            RMA_IOVEC sizeof(struct fi_rma_iov)
            RMA_IOVEC_ADDR fi_rma_iov.addr
            RMA_IOVEC_LEN fi_rma_iov.len
            RMA_IOVEC_KEY fi_rma_iov.key
            WORK sizeof(struct fi_deferred_work)
            WORK_THRESHOLD fi_deferred_work.threshold
            WORK_TRIGGERING fi_deferred_work.triggering_cntr
            WORK_COMPLETION fi_deferred_work.completion_cntr
            WORK_TYPE fi_deferred_work.op_type
            WORK_OP fi_deferred_work.op
            OP_EP fi_op_msg.ep
            OP_MSG fi_op_msg.msg
            OP_MSG_FLAGS fi_op_msg.flags
            OP_EP fi_op_tagged.ep
            OP_MSG fi_op_tagged.msg
            OP_TAGGED_FLAGS fi_op_tagged.flags
            OP_EP fi_op_rma.ep
            OP_MSG fi_op_rma.msg
            OP_RMA_FLAGS fi_op_rma.flags
            OP_CNTR fi_op_cntr.cntr
            OP_CNTR_VALUE fi_op_cntr.value
            WORK_SEND FI_OP_SEND
            WORK_TSEND FI_OP_TSEND
            WORK_READ FI_OP_READ
            WORK_WRITE FI_OP_WRITE
            WORK_CNTR_SET FI_OP_CNTR_SET
            WORK_CNTR_ADD FI_OP_CNTR_ADD
            CONTEXT sizeof(struct fi_context2)
            """;

    /** Ours alone: the least version, and room for a structure that may have grown. */
    private static final Set<String> OURS = Set.of("VERSION", "ERROR_BYTES");

    @Test
    void shouldAgreeWithTheHeaders(@TempDir Path directory) throws Exception {
        assumeTrue(Files.isRegularFile(Path.of("/usr/include/rdma/fabric.h")),
                "skipped: needs the headers of libfabric (Debian package libfabric-dev)");
        assumeTrue(hasCompiler(), "skipped: needs a C compiler (Debian package gcc)");
        Map<String, Long> ours = ours();
        List<String> names = new ArrayList<>();
        StringBuilder program = new StringBuilder(HEADERS).append("int main(void) {\n");
        for (String line : EXPRESSIONS.split("\n")) {
            String[] words = line.split(" ", 2);
            boolean isField = words[1].matches("[a-z_0-9]+\\.[a-z_0-9]+");
            names.add(words[0]);
            print(program, isField ? "offsetof(struct " + words[1].replace(".", ", ") + ")" : words[1]);
        }
        for (String name : ours.keySet()) {
            // Constants of the library have its names here.
            if (name.startsWith("FI_")) {
                names.add(name);
                print(program, name);
            }
        }
        List<String> printed = run(directory, program.append("return 0;\n}\n").toString());
        assertEquals(names.size(), printed.size());
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Long.parseLong(printed.get(i)), ours.get(names.get(i)), names.get(i) + ", number " + i);
        }
        ours.keySet().removeAll(names);
        assertEquals(OURS, ours.keySet(), "numbers that nothing was compared with");
    }

    private static void print(StringBuilder program, String expression) {
        program.append("printf(\"%lld\\n\", (long long) (").append(expression).append("));\n");
    }

    private static Map<String, Long> ours() throws ReflectiveOperationException {
        Map<String, Long> result = new LinkedHashMap<>();
        for (Field field : Abi.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                result.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        return result;
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder("cc", "--version").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> run(Path directory, String program) throws Exception {
        Path source = Files.writeString(directory.resolve("numbers.c"), program);
        Path binary = directory.resolve("numbers");
        output("cc", "-o", binary.toString(), source.toString());
        return List.of(output(binary.toString()).split("\n"));
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor() == 0, output);
        return output;
    }
}
