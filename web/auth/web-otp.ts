/** Not in TypeScript's own types: browsers that read a code out of the SMS for the page it is bound to. */
interface CodeRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] }
}

/** The code of the next SMS bound to this site, in browsers that can read it. Never settles elsewhere or if refused. */
export async function codeFromSms(signal: AbortSignal): Promise<string> {
  const never = new Promise<string>(() => undefined)
  if (!('OTPCredential' in window)) return never
  const request: CodeRequest = { otp: { transport: ['sms'] }, signal }
  const found: unknown = await navigator.credentials.get(request).catch(() => null)
  const isCode = typeof found === 'object' && found !== null && 'code' in found && typeof found.code === 'string'
  return isCode ? String(found.code) : never
}
