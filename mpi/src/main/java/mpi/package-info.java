/**
 * Rankwire under the names of the two Java APIs of MPI that programs are written in: mpiJava 1.2 ({@code Send},
 * {@code Rank}, offsets, {@link mpi.MPI#OBJECT}) and that of Open MPI ({@code send}, {@code getRank}, direct buffers).
 * Both live in the same classes, thin over {@link io.rankwire}: what a call does is done there. A class whose name
 * begins with one of the dialects holds the public methods of that dialect; the others serve both.
 */
package mpi;
