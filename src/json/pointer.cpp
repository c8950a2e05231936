#include "json/pointer.hpp"
