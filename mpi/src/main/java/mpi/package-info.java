/**
 * Rankwire under the names of the two Java APIs of MPI: mpiJava 1.2 ({@code Send}, {@code Rank}, offsets,
 * {@link mpi.MPI#OBJECT}) and Open MPI ({@code send}, {@code getRank}, direct buffers). The public classes have the
 * methods of both and delegate to the other classes of this package, which call {@link io.rankwire}.
 */
package mpi;
