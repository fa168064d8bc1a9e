#pragma once
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
double sqrt(double);
double pow(double, double);
double floor(double);
double ceil(double);
double fabs(double);
double log(double);
double log2(double);
double exp(double);
double sin(double);
double cos(double);
