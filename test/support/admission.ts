import { jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { AdmissionService } from '../../src/admission/admission.service.js';

/** Lets every request of a running server pass on to its guards, as if nobody had asked before. */
export function bypassAdmission(app: INestApplicationContext): void {
  jest.spyOn(app.get(AdmissionService), 'admit').mockReturnValue(undefined);
}
