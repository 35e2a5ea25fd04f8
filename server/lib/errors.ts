import { type ErrorCode, type ErrorResponse, messageOf, statusOf } from '@qatra/contract/errors'

/** An expected refusal. Thrown once, answered at the edge. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorResponse['details']
  /** Seconds for the Retry-After header. */
  retryAfter: number | null = null
  /** True where the refusal must leave a trace (a counted wrong code): the transaction is committed all the same. */
  keepsWrites = false

  constructor(code: ErrorCode, details: ErrorResponse['details'] = {}) {
    super(messageOf(code))
    this.code = code
    this.details = details
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
