#include "json/parse.hpp"
