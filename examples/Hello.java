// Every rank prints its number.
//     bin/rankwire run -n 4 examples/Hello.java
import io.rankwire.*;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        IO.println("hello from rank " + all.rank() + " of " + all.size());
    }
}
