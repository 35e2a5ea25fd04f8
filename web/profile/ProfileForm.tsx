import type { Input } from '@qatra/contract/endpoint'
import { type Lang, langs } from '@qatra/contract/lib/lang'
import { companyNames } from '@qatra/contract/orders/buyer'
import { mapKeys } from '@qatra/contract/orders/totals'
import { type User, updateProfile } from '@qatra/contract/users/auth'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useChangeLanguage } from '../app/language/language.ts'
import { call } from '../lib/api-client.ts'
import { currentUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { toast } from '../ui/Toast.tsx'

interface Values extends Record<(typeof companyNames)[number], string> {
  name: string
  language: Lang
  notificationEnabled: boolean
  marketingConsent: boolean
  reminders: boolean
}

const fields = ['name', ...companyNames] as const
type ProfileField = (typeof fields)[number]

function startForm(user: User): Values {
  return {
    name: user.name ?? '',
    ...mapKeys(companyNames, (field) => user[field] ?? ''),
    language: user.language,
    notificationEnabled: user.notificationEnabled,
    marketingConsent: user.marketingConsent,
    reminders: user.reminders,
  }
}

type ProfileBody = NonNullable<Input<typeof updateProfile>['body']>

function bodyOf(form: Values, user: User): ProfileBody {
  const { name, companyName, crNumber, vatNumber, ...preferences } = form
  return {
    ...preferences,
    // A person without a name does not have to enter one.
    ...(name.trim() === '' && user.name === null ? {} : { name }),
    companyName: companyName.trim() || null,
    crNumber: crNumber.trim() || null,
    vatNumber: vatNumber.trim() || null,
  }
}

const fieldAt = ([name]: readonly PropertyKey[]): ProfileField | null => fields.find((one) => one === name) ?? null

export function ProfileForm({ user }: { user: User }) {
  const state = useProfileForm(user)
  const t = useT()
  return (
    <form {...state.props} className="mt-4 grid gap-8">
      <Group title={t('profile.person')}>
        <TextField {...state.text('name')} label={t('profile.name')} autoComplete="name" maxLength={100} />
        <div>
          <p className="text-label font-strong">{t('profile.phone')}</p>
          <p className="mt-1.5 flex min-h-12 items-center rounded-m bg-well px-3.5 text-ink-2">
            <Phone phone={user.phone} />
          </p>
          <p className="mt-1.5 text-label text-ink-3">{t('profile.phoneHint')}</p>
        </div>
        <TextField
          {...state.text('companyName')}
          label={t('profile.companyName')}
          autoComplete="organization"
          maxLength={200}
        />
        <TextField {...state.text('crNumber')} label={t('profile.crNumber')} ltr autoComplete="off" maxLength={30} />
        <TextField
          {...state.text('vatNumber')}
          label={t('profile.vatNumber')}
          hint={t('profile.vatNumberHint')}
          ltr
          inputMode="numeric"
          autoComplete="off"
          maxLength={30}
        />
      </Group>
      <Preferences state={state} />
      <div className="grid gap-2">
        {state.failure && (
          <p role="alert" className="text-label text-clay">
            {state.failure}
          </p>
        )}
        <Button type="submit" tone="aqua" size="big" busy={state.busy}>
          {t(state.busy ? 'profile.saving' : 'profile.save')}
        </Button>
      </div>
    </form>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3.5">
      <h2 className="text-heading">{title}</h2>
      {children}
    </section>
  )
}

function Preferences({ state: { values: form, set } }: { state: ProfileFormState }) {
  const t = useT()
  return (
    <Group title={t('profile.preferences')}>
      <fieldset>
        <legend className="mb-1 text-label font-strong">{t('profile.language')}</legend>
        <div className="flex gap-8">
          {langs.map((one) => (
            <label key={one} lang={one} className="flex min-h-tap cursor-pointer items-center gap-2.5">
              <input
                type="radio"
                name="language"
                value={one}
                checked={form.language === one}
                onChange={() => set({ language: one })}
                className="tick"
              />
              {t(`shell.language.${one}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <Choice
        label={t('profile.notifications')}
        hint={t('profile.notificationsHint')}
        checked={form.notificationEnabled}
        onChange={(notificationEnabled) => set({ notificationEnabled })}
      />
      <Choice
        label={t('profile.reminders')}
        hint={t('profile.remindersHint')}
        checked={form.reminders}
        onChange={(reminders) => set({ reminders })}
      />
      <Choice
        label={t('profile.marketing')}
        hint={t('profile.marketingHint')}
        checked={form.marketingConsent}
        onChange={(marketingConsent) => set({ marketingConsent })}
      />
    </Group>
  )
}

interface ChoiceProps {
  label: string
  hint: string
  checked: boolean
  onChange(checked: boolean): void
}

function Choice({ label, hint, checked, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-tap cursor-pointer items-center gap-3">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} className="tick" />
      <span>
        {label}
        <span className="block text-label text-ink-3">{hint}</span>
      </span>
    </label>
  )
}

/** State of the form and its save action. The input is kept after an error. */
function useProfileForm(user: User) {
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
    invalid: t('profile.error.INVALID_BODY'),
    failed: ({ code }) => t(code === 'OFFLINE' ? 'profile.error.OFFLINE' : 'profile.failed'),
    onRefused: (words) => toast({ title: t('profile.updateFailed'), text: words, tone: 'error' }),
  })

  // The language may be changed in the head of the page while the form is open.
  const setLanguage = useEffectEvent((language: User['language']) => form.set({ language }))
  useEffect(() => setLanguage(user.language), [user.language])
  return form
}

type ProfileFormState = ReturnType<typeof useProfileForm>
