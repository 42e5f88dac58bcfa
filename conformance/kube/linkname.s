// The file lets functions of the package have their bodies elsewhere.
