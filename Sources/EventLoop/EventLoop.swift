// EventLoop: being built.
