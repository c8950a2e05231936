#include "json/canonical.hpp"
