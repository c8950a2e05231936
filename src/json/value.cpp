#include "json/value.hpp"
