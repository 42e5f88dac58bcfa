package gate

import "reflect"

// Form is the type that a file of rules is decoded as, for those who describe it.
var Form = reflect.TypeFor[rulesFile]()
