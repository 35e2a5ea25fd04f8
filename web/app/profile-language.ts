import { updateProfile } from '@qatra/contract/auth'
import type { Lang } from '@qatra/contract/lang'
import type { QueryClient } from '@tanstack/react-query'
import { call } from './call.ts'
import { currentUser } from './session.ts'

/** Messages to somebody signed in come in the language chosen last; without a network it is told once there is one. */
export async function tellProfile(queries: QueryClient, language: Lang) {
  const { queryKey } = currentUser()
  const telling = queries.getMutationCache().build(queries, {
    mutationFn: () => call(updateProfile, { body: { language } }),
    retry: 2,
    // Two choices in a row arrive in their order.
    scope: { id: 'profile-language' },
  })
  const saved = await telling.execute(undefined)
  // Somebody else may be signed in by now.
  if (queries.getQueryData(queryKey)?.id === saved.id) queries.setQueryData(queryKey, saved)
}
