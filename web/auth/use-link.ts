import { getLinkStatus, verifyLink } from '@qatra/contract/links/links'
import { redirectWithParams } from '@qatra/contract/links/redirect'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { track } from '../analytics/events.ts'
import { signedIn } from '../app/session/session.ts'
import { useCartContext } from '../cart/CartProvider.tsx'
import { CallError, call, read } from '../lib/api-client.ts'

/** INVALID_LINK, EXPIRED_LINK, USED_LINK, GENERAL_ERROR, or a code of a newer server. */
export type LinkFailure = string

export type LinkState =
  | { name: 'looking' }
  /** `isOwn` is null if nobody is signed in. */
  | { name: 'ready'; phone: string; isOwn: boolean | null }
  | { name: 'working' }
  | { name: 'failed'; code: LinkFailure }
  | { name: 'signed-in'; target: string }

/** Failure for an address without a usable token; null if there is a token. */
export function spokenToken(token: string | undefined): LinkFailure | null {
  if (!token || token === 'invalid') return 'INVALID_LINK'
  return token === 'error' ? 'GENERAL_ERROR' : null
}

const failureOf = (error: unknown): LinkFailure =>
  error instanceof CallError && [400, 404, 422].includes(error.status) ? 'INVALID_LINK' : 'GENERAL_ERROR'

/** Target in the address, used if the link names none. Both are validated before the redirect. */
interface Wanted {
  redirectUrl?: string | undefined
  redirectParams?: string | undefined
}

/** Reads the state of a link, and uses it on request. */
export function useLink(token: string | undefined, wanted: Wanted) {
  const spoken = spokenToken(token)
  const queries = useQueryClient()
  const { sync } = useCartContext()
  const statusQuery = useQuery({ ...read(getLinkStatus, { params: { token: token ?? '' } }), enabled: spoken === null })
  // The result of this page takes precedence over later answers about the link.
  const [done, setDone] = useState<LinkState | null>(spoken ? { name: 'failed', code: spoken } : null)

  async function spend() {
    setDone({ name: 'working' })
    try {
      // Flush the guest's cart before it moves to the account.
      await sync.flush()
      const answer = await call(verifyLink, { params: { token: token ?? '' } })
      if (!answer.success) return setDone({ name: 'failed', code: answer.errorCode ?? 'failed' })
      const { redirectUrl, redirectParams } = answer.redirectUrl ? answer : wanted
      setDone({ name: 'signed-in', target: redirectWithParams(redirectUrl, redirectParams, location.origin) })
      await signedIn(queries)
      track('login', { method: 'link' })
    } catch (error) {
      setDone({ name: 'failed', code: failureOf(error) })
    }
  }

  /** Refetches first: if another window signed in since, the page asks for confirmation. */
  async function confirm() {
    const { data, isSuccess, error } = await statusQuery.refetch()
    if (!isSuccess) setDone({ name: 'failed', code: failureOf(error) })
    else if (data.success && data.isOwn !== false) await spend()
  }

  return { state: done ?? stateOf(statusQuery), spend, confirm }
}

interface StatusQuery {
  data: { success: boolean; errorCode: string | null; phone: string | null; isOwn: boolean | null } | undefined
  error: unknown
}

function stateOf({ data, error }: StatusQuery): LinkState {
  if (data?.success) return { name: 'ready', phone: data.phone ?? '', isOwn: data.isOwn }
  if (data) return { name: 'failed', code: data.errorCode ?? 'failed' }
  return error ? { name: 'failed', code: failureOf(error) } : { name: 'looking' }
}
