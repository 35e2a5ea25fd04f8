import { type DetailsOf, type ErrorCode, type ErrorResponse, messageOf, statusOf } from '@qatra/contract/errors'

/** An expected refusal; the error handler turns it into the response. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode
  readonly details: ErrorResponse['details']
  /** Seconds for the Retry-After header. */
  retryAfter: number | null = null
  /** Commits the transaction despite the error, for refusals that must be recorded (a counted wrong code). */
  keepsWrites = false

  constructor(code: Code, details?: DetailsOf<Code>) {
    super(messageOf(code))
    this.code = code
    this.details = { ...details }
  }

  get status() {
    return statusOf(this.code)
  }

  toRefusal(): ErrorResponse {
    return { code: this.code, message: this.message, details: this.details }
  }
}

export const retryLater = (code: ErrorCode, seconds: number, details: ErrorResponse['details'] = {}) =>
  Object.assign(new AppError(code, { ...details, retryAfter: seconds }), { retryAfter: seconds })

export const commitWrites = (error: AppError) => Object.assign(error, { keepsWrites: true })
