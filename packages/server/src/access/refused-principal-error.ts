import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'

/** A refused request of a principal that is known. */
export class RefusedPrincipalError extends AppError {
  readonly caller: Principal

  constructor(caller: Principal, { code, message, details }: AppError) {
    super(code, message, details)
    this.caller = caller
  }
}
