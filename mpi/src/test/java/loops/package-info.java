/** Programs that are run beside other implementations of the package mpi, to compare. */
package loops;
