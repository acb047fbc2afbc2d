package mpi;

import java.nio.Buffer;

/** A file that all ranks of a communicator share. Files are not supported yet, and every call throws. */
public final class File {
    /** Throws: not supported yet (MPI_File_open). */
    public File(Comm comm, String name, int amode) throws MPIException {
        throw NotYet.files("File");
    }

    /** Throws: not supported yet (MPI_File_open). */
    public File(Comm comm, String name, int amode, Info info) throws MPIException {
        throw NotYet.files("File");
    }

    /** Throws: not supported yet (MPI_File_close). */
    public void close() throws MPIException {
        throw NotYet.files("close");
    }

    /** Throws: not supported yet (MPI_File_delete). */
    public static void delete(String name) throws MPIException {
        throw NotYet.files("delete");
    }

    /** Throws: not supported yet (MPI_File_delete). */
    public static void delete(String name, Info info) throws MPIException {
        throw NotYet.files("delete");
    }

    /** Throws: not supported yet (MPI_File_set_size). */
    public void setSize(long size) throws MPIException {
        throw NotYet.files("setSize");
    }

    /** Throws: not supported yet (MPI_File_preallocate). */
    public void preallocate(long size) throws MPIException {
        throw NotYet.files("preallocate");
    }

    /** Throws: not supported yet (MPI_File_get_size). */
    public long getSize() throws MPIException {
        throw NotYet.files("getSize");
    }

    /** Throws: not supported yet (MPI_File_get_group). */
    public Group getGroup() throws MPIException {
        throw NotYet.files("getGroup");
    }

    /** Throws: not supported yet (MPI_File_get_amode). */
    public int getAMode() throws MPIException {
        throw NotYet.files("getAMode");
    }

    /** Throws: not supported yet (MPI_File_set_info). */
    public void setInfo(Info info) throws MPIException {
        throw NotYet.files("setInfo");
    }

    /** Throws: not supported yet (MPI_File_get_info). */
    public Info getInfo() throws MPIException {
        throw NotYet.files("getInfo");
    }

    /** Throws: not supported yet (MPI_File_set_view). */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        throw NotYet.files("setView");
    }

    /** Throws: not supported yet (MPI_File_set_view). */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info) throws MPIException {
        throw NotYet.files("setView");
    }

    /** Throws: not supported yet (MPI_File_get_view). */
    public FileView getView() throws MPIException {
        throw NotYet.files("getView");
    }

    /** Throws: not supported yet (MPI_File_read_at). */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAt");
    }

    /** Throws: not supported yet (MPI_File_read_at_all). */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAtAll");
    }

    /** Throws: not supported yet (MPI_File_write_at). */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAt");
    }

    /** Throws: not supported yet (MPI_File_write_at_all). */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAtAll");
    }

    /** Throws: not supported yet (MPI_File_iread_at). */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadAt");
    }

    /** Throws: not supported yet (MPI_File_iread_at_all). */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadAtAll");
    }

    /** Throws: not supported yet (MPI_File_iwrite_at). */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteAt");
    }

    /** Throws: not supported yet (MPI_File_iwrite_at_all). */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteAtAll");
    }

    /** Throws: not supported yet (MPI_File_read). */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("read");
    }

    /** Throws: not supported yet (MPI_File_read_all). */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAll");
    }

    /** Throws: not supported yet (MPI_File_write). */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("write");
    }

    /** Throws: not supported yet (MPI_File_write_all). */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAll");
    }

    /** Throws: not supported yet (MPI_File_iread). */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iRead");
    }

    /** Throws: not supported yet (MPI_File_iread_all). */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadAll");
    }

    /** Throws: not supported yet (MPI_File_iwrite). */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWrite");
    }

    /** Throws: not supported yet (MPI_File_iwrite_all). */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteAll");
    }

    /** Throws: not supported yet (MPI_File_seek). */
    public void seek(long offset, int whence) throws MPIException {
        throw NotYet.files("seek");
    }

    /** Throws: not supported yet (MPI_File_get_position). */
    public long getPosition() throws MPIException {
        throw NotYet.files("getPosition");
    }

    /** Throws: not supported yet (MPI_File_get_byte_offset). */
    public long getByteOffset(long offset) throws MPIException {
        throw NotYet.files("getByteOffset");
    }

    /** Throws: not supported yet (MPI_File_read_shared). */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readShared");
    }

    /** Throws: not supported yet (MPI_File_write_shared). */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeShared");
    }

    /** Throws: not supported yet (MPI_File_iread_shared). */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iReadShared");
    }

    /** Throws: not supported yet (MPI_File_iwrite_shared). */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("iWriteShared");
    }

    /** Throws: not supported yet (MPI_File_read_ordered). */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readOrdered");
    }

    /** Throws: not supported yet (MPI_File_write_ordered). */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeOrdered");
    }

    /** Throws: not supported yet (MPI_File_seek_shared). */
    public void seekShared(long offset, int whence) throws MPIException {
        throw NotYet.files("seekShared");
    }

    /** Throws: not supported yet (MPI_File_get_position_shared). */
    public long getPositionShared() throws MPIException {
        throw NotYet.files("getPositionShared");
    }

    /** Throws: not supported yet (MPI_File_read_at_all_begin). */
    public void readAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAtAllBegin");
    }

    /** Throws: not supported yet (MPI_File_read_at_all_end). */
    public Status readAtAllEnd(Object buf) throws MPIException {
        throw NotYet.files("readAtAllEnd");
    }

    /** Throws: not supported yet (MPI_File_write_at_all_begin). */
    public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAtAllBegin");
    }

    /** Throws: not supported yet (MPI_File_write_at_all_end). */
    public Status writeAtAllEnd(Object buf) throws MPIException {
        throw NotYet.files("writeAtAllEnd");
    }

    /** Throws: not supported yet (MPI_File_read_all_begin). */
    public void readAllBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readAllBegin");
    }

    /** Throws: not supported yet (MPI_File_read_all_end). */
    public Status readAllEnd(Object buf) throws MPIException {
        throw NotYet.files("readAllEnd");
    }

    /** Throws: not supported yet (MPI_File_write_all_begin). */
    public void writeAllBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeAllBegin");
    }

    /** Throws: not supported yet (MPI_File_write_all_end). */
    public Status writeAllEnd(Object buf) throws MPIException {
        throw NotYet.files("writeAllEnd");
    }

    /** Throws: not supported yet (MPI_File_read_ordered_begin). */
    public void readOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("readOrderedBegin");
    }

    /** Throws: not supported yet (MPI_File_read_ordered_end). */
    public Status readOrderedEnd(Object buf) throws MPIException {
        throw NotYet.files("readOrderedEnd");
    }

    /** Throws: not supported yet (MPI_File_write_ordered_begin). */
    public void writeOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        throw NotYet.files("writeOrderedBegin");
    }

    /** Throws: not supported yet (MPI_File_write_ordered_end). */
    public Status writeOrderedEnd(Object buf) throws MPIException {
        throw NotYet.files("writeOrderedEnd");
    }

    /** Throws: not supported yet (MPI_File_get_type_extent). */
    public int getTypeExtent(Datatype type) throws MPIException {
        throw NotYet.files("getTypeExtent");
    }

    /** Throws: not supported yet (MPI_File_set_atomicity). */
    public void setAtomicity(boolean atomicity) throws MPIException {
        throw NotYet.files("setAtomicity");
    }

    /** Throws: not supported yet (MPI_File_get_atomicity). */
    public boolean getAtomicity() throws MPIException {
        throw NotYet.files("getAtomicity");
    }

    /** Throws: not supported yet (MPI_File_sync). */
    public void sync() throws MPIException {
        throw NotYet.files("sync");
    }

    /** Throws: not supported yet (MPI_File_set_errhandler). */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        throw NotYet.files("setErrhandler");
    }

    /** Throws: not supported yet (MPI_File_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        throw NotYet.files("getErrhandler");
    }

    /** Throws: not supported yet (MPI_File_call_errhandler). */
    public void callErrhandler(int errorCode) throws MPIException {
        throw NotYet.files("callErrhandler");
    }
}
