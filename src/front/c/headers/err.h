#pragma once
/* err, errx, warn and warnx are known by name. */
