package validate

import (
	"errors"
)

// CheckTaint says what is wrong with the key and with the value of a taint, as the API
// server would; nil where nothing is.
func CheckTaint(key, value string) (ofKey, ofValue error) {
	var c Checker
	if what := c.LabelKey(key); what != "" {
		ofKey = errors.New("is not valid: " + what)
	}
	return ofKey, CheckLabelValue(value)
}

// CheckLabelValue says why a text is not one for the value of a label; nil if it is.
func CheckLabelValue(value string) error {
	var c Checker
	if what := c.LabelValue(value); what != "" {
		return errors.New("is not valid: " + what)
	}
	return nil
}
