/**
 * Collective operations as schedules: pure functions of rank, size, counts and root, one algorithm a file. A schedule
 * knows no buffers, types or peers' addresses; the code that binds it runs it, symbolically in tests. Nothing here
 * sends.
 */
package io.rankwire.collective;
