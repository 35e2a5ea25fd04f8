import { type User, updateProfile } from '@qatra/contract/users/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useChangeLanguage } from '../app/language/language.ts'
import { call } from '../lib/api-client.ts'
import { currentUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { toast } from '../ui/Toast.tsx'
import { bodyOf, fieldAt, startForm } from './form.ts'

/** State of the form and its save action. The input is kept after an error. */
export function useProfileForm(user: User) {
  const t = useT()
  const changeLanguage = useChangeLanguage()
  const queries = useQueryClient()
  const form = useForm({
    body: updateProfile.body,
    start: () => startForm(user),
    toBody: (values) => bodyOf(values, user),
    fieldAt,
    send: (body) => call(updateProfile, { body }),
    async onSaved(saved) {
      queries.setQueryData(currentUser().queryKey, saved)
      form.reset(startForm(saved))
      if (saved.language !== user.language) await changeLanguage(saved.language)
      toast({ title: t('profile.updated') })
    },
    invalid: t('profile.checkFields'),
    failed: ({ code }) => t(code === 'OFFLINE' ? 'profile.offline' : 'profile.failed'),
    onRefused: (words) => toast({ title: t('profile.updateFailed'), text: words, tone: 'error' }),
  })

  // The language may be changed in the head of the page while the form is open.
  const setLanguage = useEffectEvent((language: User['language']) => form.set({ language }))
  useEffect(() => setLanguage(user.language), [user.language])
  return form
}

export type ProfileFormState = ReturnType<typeof useProfileForm>
