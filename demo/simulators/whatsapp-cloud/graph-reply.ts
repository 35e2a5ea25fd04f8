import type { ProviderReply } from '../provider-http.ts'

export const json = (status: number, body: object, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  body,
})
/** An error as the Graph API words it. */
export const failure = (
  status: number,
  code: number,
  title: string,
  {
    details = title,
    headers,
    error = {},
  }: { details?: string; headers?: Record<string, string> | undefined; error?: object } = {},
) =>
  json(
    status,
    {
      error: {
        message: `(#${code}) ${title}`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
        ...error,
      },
    },
    headers,
  )
