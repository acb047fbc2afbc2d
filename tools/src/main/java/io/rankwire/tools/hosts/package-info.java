/** Jobs on several hosts: which hosts there are, which ranks they get, and the agents that run there. */
package io.rankwire.tools.hosts;
