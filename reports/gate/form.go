package gate

import "reflect"

// RulesType is the type that a file of rules is decoded as, for those who describe it.
var RulesType = reflect.TypeFor[rulesFile]()
