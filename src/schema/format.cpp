#include "schema/format.hpp"
