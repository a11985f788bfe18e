// libyaml as Swift sees it. Only what Swift cannot import by itself stands here, each with its reason.
#pragma once
#include <yaml.h>
