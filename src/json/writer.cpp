#include "json/writer.hpp"
