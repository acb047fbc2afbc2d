/**
 * Large messages. The sender announces one ({@link io.rankwire.device.transfer.SendTransfers}), the receiver answers
 * when it meets its receive ({@link io.rankwire.device.transfer.ReceiveTransfers}), and the bytes go in frames or by
 * one copy between memory that both ranks reach ({@link io.rankwire.device.transfer.DirectCopies}).
 */
package io.rankwire.device.transfer;
