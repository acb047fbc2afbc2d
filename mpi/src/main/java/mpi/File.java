package mpi;

import java.nio.Buffer;

/** A file that all ranks of a communicator share: not supported yet, every call says so. */
public final class File {
    public File(Comm comm, String name, int amode) throws MPIException {
        throw NotYet.files("File");
    }

    public File(Comm comm, String name, int amode, Info info) throws MPIException {
        throw NotYet.files("File");
    }

    public void close() throws MPIException {
        throw NotYet.files("close");
    }

    public static void delete(String name) throws MPIException {
        throw NotYet.files("delete");
    }

    public static void delete(String name, Info info) throws MPIException {
        throw NotYet.files("delete");
    }

    public void setSize(long size) throws MPIException {
        throw NotYet.files("setSize");
    }

    public void preallocate(long size) throws MPIException {
        throw NotYet.files("preallocate");
    }

    public long getSize() throws MPIException {
        throw NotYet.files("getSize");
    }

    public Group getGroup() throws MPIException {
        throw NotYet.files("getGroup");
    }

    public int getAMode() throws MPIException {
        throw NotYet.files("getAMode");
    }

    public void setInfo(Info info) throws MPIException {
        throw NotYet.files("setInfo");
    }

    public Info getInfo() throws MPIException {
        throw NotYet.files("getInfo");
    }

    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        throw NotYet.files("setView");
    }

    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info) throws MPIException {
        throw NotYet.files("setView");
    }

    public FileView getView() throws MPIException {
        throw NotYet.files("getView");
    }

    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAt");
    }

    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAtAll");
    }

    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAt");
    }

    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAtAll");
    }

    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadAt");
    }

    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadAtAll");
    }

    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteAt");
    }

    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteAtAll");
    }

    public Status read(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("read");
    }

    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAll");
    }

    public Status write(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("write");
    }

    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAll");
    }

    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iRead");
    }

    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadAll");
    }

    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWrite");
    }

    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteAll");
    }

    public void seek(long offset, int whence) throws MPIException {
        throw NotYet.files("seek");
    }

    public long getPosition() throws MPIException {
        throw NotYet.files("getPosition");
    }

    public long getByteOffset(long offset) throws MPIException {
        throw NotYet.files("getByteOffset");
    }

    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readShared");
    }

    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeShared");
    }

    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadShared");
    }

    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteShared");
    }

    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readOrdered");
    }

    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeOrdered");
    }

    public void seekShared(long offset, int whence) throws MPIException {
        throw NotYet.files("seekShared");
    }

    public long getPositionShared() throws MPIException {
        throw NotYet.files("getPositionShared");
    }

    public void readAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAtAllBegin");
    }

    public Status readAtAllEnd(Object buf) throws MPIException {
        throw NotYet.files("readAtAllEnd");
    }

    public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAtAllBegin");
    }

    public Status writeAtAllEnd(Object buf) throws MPIException {
        throw NotYet.files("writeAtAllEnd");
    }

    public void readAllBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAllBegin");
    }

    public Status readAllEnd(Object buf) throws MPIException {
        throw NotYet.files("readAllEnd");
    }

    public void writeAllBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAllBegin");
    }

    public Status writeAllEnd(Object buf) throws MPIException {
        throw NotYet.files("writeAllEnd");
    }

    public void readOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readOrderedBegin");
    }

    public Status readOrderedEnd(Object buf) throws MPIException {
        throw NotYet.files("readOrderedEnd");
    }

    public void writeOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeOrderedBegin");
    }

    public Status writeOrderedEnd(Object buf) throws MPIException {
        throw NotYet.files("writeOrderedEnd");
    }

    public int getTypeExtent(Datatype type) throws MPIException {
        throw NotYet.files("getTypeExtent");
    }

    public void setAtomicity(boolean atomicity) throws MPIException {
        throw NotYet.files("setAtomicity");
    }

    public boolean getAtomicity() throws MPIException {
        throw NotYet.files("getAtomicity");
    }

    public void sync() throws MPIException {
        throw NotYet.files("sync");
    }

    public void setErrhandler(Errhandler errhandler) throws MPIException {
        throw NotYet.files("setErrhandler");
    }

    public Errhandler getErrhandler() throws MPIException {
        throw NotYet.files("getErrhandler");
    }

    public void callErrhandler(int errorCode) throws MPIException {
        throw NotYet.files("callErrhandler");
    }
}
