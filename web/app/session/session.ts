import { getCart } from '@qatra/contract/cart/cart'
import { getMe, type User } from '@qatra/contract/users/auth'
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { redirect, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refuseEarlierCalls } from '../../lib/api-client.ts'
import { currentUser, findUser } from '../../lib/current-user.ts'
import { createEvent } from '../../lib/event.ts'
import { beginSignOut, finishSignOut, setSignOutPending } from '../../lib/pending-sign-out.ts'
import { broadcast, onBroadcast, setCookie } from '../../lib/site-data.ts'
import type { PageRequest } from '../page.ts'
import { langSearch, parseSearch, stringifySearch } from '../routes/search.ts'
import { clearPersonalStorage } from './personal-storage.ts'

/** For `load` of a page that needs an account: visitors go to the sign-in page and come back. */
export async function requireUser({ queries, href }: Pick<PageRequest, 'queries' | 'href'>): Promise<User> {
  const user = await findUser(queries)
  if (!user) throw redirect({ to: '/login', search: wayBack(href) })
  return user
}

/** Keeps `lang` on the sign-in page, and removes it from the redirect path. */
function wayBack(href: string) {
  const [path = '/', query = ''] = href.split('?')
  const { lang, ...search } = parseSearch(query)
  return { ...langSearch({ lang }), redirect: path + stringifySearch(search) }
}

const openToAll = [
  '/api/vendors',
  '/api/products',
  '/api/areas',
  '/api/site',
  '/api/geocode',
  '/api/delivery-date',
  '/api/delivery-days',
]
const isPersonal = ({ queryKey: [path] }: Query) =>
  typeof path !== 'string' || !openToAll.some((open) => path.startsWith(open))

/** Removes one person's data from stores and cache; refetches active queries for the next person. */
async function clearPersonalData(queries: QueryClient, change: SessionChange) {
  refuseEarlierCalls()
  personChanged.emit()
  clearPersonalStorage()
  await queries.cancelQueries({ predicate: isPersonal })
  queries.removeQueries({ predicate: isPersonal, type: 'inactive' })
  if (change === 'signed-in') return queries.resetQueries({ predicate: isPersonal })
  const { queryKey } = currentUser()
  // Says where the person lives.
  setCookie('area', '', 0)
  // Signed out: skip the calls, which would be refused.
  queries.setQueryData(queryKey, null as never)
  const theirs = queries.getQueryCache().findAll({ predicate: isPersonal })
  for (const query of theirs) if (query.queryKey[0] !== queryKey[0]) query.reset()
  await renewCart(queries)
}

type SessionChange = 'signed-in' | 'signed-out'
const channelName = 'session'
const personChanged = createEvent()

/** Runs when the person at this browser changes, in every tab (analytics forgets its user here). */
export const onPersonChanged = personChanged.on

/** After a successful sign-in: refetches user, cart and orders, here and in the other tabs. */
export async function signedIn(queries: QueryClient) {
  broadcast(channelName, 'signed-in' satisfies SessionChange)
  await clearPersonalData(queries, 'signed-in')
}

const SETTLING_MS = 3_000
const signingOut = createEvent<void, Promise<unknown>>()

/** Runs before a sign-out, while the session still exists, to send pending changes. */
export const beforeSignOut = signingOut.on

/** Ends the session. Offline it clears all personal data here and returns false; the session ends once online. */
export async function signOut(queries: QueryClient): Promise<boolean> {
  const settled = Promise.allSettled(signingOut.emit())
  await Promise.race([settled, new Promise((done) => setTimeout(done, SETTLING_MS))])
  beginSignOut()
  const ended = await finishSignOut()
  if (!ended) setSignOutPending(true)
  broadcast(channelName, 'signed-out' satisfies SessionChange)
  await clearPersonalData(queries, 'signed-out')
  return ended
}

/** Refetches the cart of the visitor after the session has ended. */
export const renewCart = (queries: QueryClient) => queries.refetchQueries({ queryKey: [getCart.path] })

/** Follows sign-ins and sign-outs in other tabs. */
export function useOtherTabs() {
  const queries = useQueryClient()
  const router = useRouter()
  useEffect(
    () =>
      onBroadcast<SessionChange>(channelName, (change) => {
        void clearPersonalData(queries, change)
          .then(() => router.invalidate())
          .then(() => router.clearCache())
      }),
    [queries, router],
  )
}

/** A 401 from the current-user call means nobody is signed in; it is no error. */
export function isSignedOut(path: string, error: unknown): boolean {
  if (path !== getMe.path || typeof error !== 'object' || error === null) return false
  return ('status' in error && error.status === 401) || ('code' in error && error.code === 'SIGNED_OUT')
}
