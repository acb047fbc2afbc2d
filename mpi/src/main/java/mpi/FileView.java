package mpi;

/** The part of a file that a rank accesses. */
public final class FileView {
    private final long disp;
    private final Datatype eType;
    private final Datatype fileType;
    private final String dataRep;

    /** Makes a view. */
    public FileView(long disp, Datatype eType, Datatype fileType, String dataRep) {
        this.disp = disp;
        this.eType = eType;
        this.fileType = fileType;
        this.dataRep = dataRep;
    }

    /** Returns the displacement in bytes. */
    public long getDisp() {
        return disp;
    }

    /** Returns the elementary datatype. */
    public Datatype getEType() {
        return eType;
    }

    /** Returns the file type. */
    public Datatype getFileType() {
        return fileType;
    }

    /** Returns the data representation. */
    public String getDataRep() {
        return dataRep;
    }
}
