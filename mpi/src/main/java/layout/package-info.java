/** How the classes of the package {@code mpi} lie in its jars. Part of the build; not in a jar itself. */
package layout;
