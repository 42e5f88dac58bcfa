module example.com/extender

go 1.26
