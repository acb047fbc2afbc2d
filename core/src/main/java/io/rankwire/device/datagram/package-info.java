/** Datagrams: reliable messages without connections, in queues of their own beside the matched messages. */
package io.rankwire.device.datagram;
