import { type User, updateProfile } from '@qatra/contract/auth'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError, call } from '../app/call.ts'
import { useT } from '../app/i18n.tsx'
import { useChangeLanguage } from '../app/language.ts'
import { currentUser } from '../app/session.ts'
import { toast } from '../ui/Toast.tsx'
import { bodyOf, fieldOrder, type Problems, type ProfileForm, problemsFrom, problemsOf, startForm } from './form.ts'

/** State of the form and its save action. The input is kept after an error. */
export function useProfileForm(user: User) {
  const t = useT()
  const changeLanguage = useChangeLanguage()
  const queries = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(() => startForm(user))
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  // The language may be changed in the head of the page while the form is open.
  useEffect(() => setForm((before) => ({ ...before, language: user.language })), [user.language])
  useEffect(() => {
    const first = fieldOrder.find((name) => problems[name])
    const field = first && element.current?.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
  }, [problems])

  function refuse(found: Problems, words: string) {
    setProblems(found)
    setFailure(words)
    toast({ title: t('profile.updateFailed'), text: words, tone: 'error' })
  }

  async function save() {
    const body = bodyOf(form, user, t)
    const found = problemsOf(body, t)
    if (Object.keys(found).length > 0) return refuse(found, t('profile.checkFields'))
    setProblems({})
    setFailure(null)
    setBusy(true)
    try {
      const saved = await call(updateProfile, { body })
      queries.setQueryData(currentUser().queryKey, saved)
      setForm(startForm(saved))
      if (saved.language !== user.language) await changeLanguage(saved.language)
      toast({ title: t('profile.updated'), text: t('profile.updatedSuccess') })
    } catch (error) {
      const fields = error instanceof CallError ? problemsFrom(error.details.fields) : {}
      const isOffline = error instanceof CallError && error.code === 'OFFLINE'
      const words = Object.keys(fields).length > 0 ? 'profile.checkFields' : 'profile.failed'
      refuse(fields, t(isOffline ? 'profile.offline' : words))
    }
    setBusy(false)
  }

  return {
    element,
    form,
    problems,
    failure,
    busy,
    set: (change: Partial<ProfileForm>) => setForm((before) => ({ ...before, ...change })),
    submit(event: FormEvent) {
      event.preventDefault()
      if (!busy) void save()
    },
  }
}

export type ProfileFormState = ReturnType<typeof useProfileForm>
