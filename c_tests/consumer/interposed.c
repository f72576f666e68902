/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls functions of cuSPARSE's that the interposer answers by itself: there may be no cuSPARSE here. */
#include <stddef.h>

int cusparseSpGEMM_createDescr(void** product);
int cusparseSpGEMM_destroyDescr(void* product);

int main(void) {
  void* product = NULL;
  if (cusparseSpGEMM_createDescr(&product) != 0 || product == NULL) return 1;
  return cusparseSpGEMM_destroyDescr(product);
}
