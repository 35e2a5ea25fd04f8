/** WebOTP API, missing in TypeScript's types: reads a code from an SMS bound to this site. */
interface CodeRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] }
}

/** The code of the next SMS bound to this site. Never settles if the browser lacks the API or the user declines. */
export async function codeFromSms(signal: AbortSignal): Promise<string> {
  const never = new Promise<string>(() => undefined)
  if (!('OTPCredential' in window)) return never
  const request: CodeRequest = { otp: { transport: ['sms'] }, signal }
  const found: unknown = await navigator.credentials.get(request).catch(() => null)
  const isCode = typeof found === 'object' && found !== null && 'code' in found && typeof found.code === 'string'
  return isCode ? String(found.code) : never
}
