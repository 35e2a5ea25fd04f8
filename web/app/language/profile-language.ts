import type { Lang } from '@qatra/contract/lib/lang'
import { updateProfile } from '@qatra/contract/users/auth'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api-client.ts'
import { currentUser } from '../../lib/current-user.ts'

/** Saves the language of messages in the profile; retries after a network failure. */
export async function saveProfileLanguage(queries: QueryClient, language: Lang) {
  const { queryKey } = currentUser()
  const saving = queries.getMutationCache().build(queries, {
    mutationFn: () => call(updateProfile, { body: { language } }),
    retry: 2,
    // Saves two choices one after the other, so that the last one wins.
    scope: { id: 'profile-language' },
  })
  const saved = await saving.execute(undefined)
  // Another person may have signed in since the call.
  if (queries.getQueryData(queryKey)?.id === saved.id) queries.setQueryData(queryKey, saved)
}
