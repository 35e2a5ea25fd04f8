import { createKey, keyLives, keyPermissions, listKeys } from '@qatra/contract/api-keys'
import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import { leftToRight } from '@qatra/contract/lib/text'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { ownRefusalText } from '../../lib/refusal.ts'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxList, SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { SecretOnce } from '../../ui/admin/SecretOnce.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { PlusIcon } from '../../ui/icons.tsx'

type Made = Output<typeof createKey>

/** Form of a new key; afterwards shows the key, which cannot be shown again. */
export function NewKey({ onClose }: { onClose(): void }) {
  const t = useT()
  const [made, setMade] = useState<Made | null>(null)
  return (
    <SidePanel label={t('keys.new')} title={t(made ? 'keys.ready' : 'keys.new')} onClose={onClose}>
      <PanelPart>
        {made ? <MadeKey made={made} onAnother={() => setMade(null)} /> : <KeyForm onMade={setMade} />}
      </PanelPart>
    </SidePanel>
  )
}

/** For super admins: the vendor of what they create, or the whole market. */
export function ScopeField(
  props: Pick<ComponentProps<typeof SelectField<number>>, 'name' | 'value' | 'onChange' | 'error'>,
) {
  const t = useT()
  const nameIn = useNameIn()
  const isSuper = useUser()?.role === 'super_admin'
  const { data: vendors = [] } = useQuery({ ...read(listVendors), enabled: isSuper })
  if (!isSuper) return null
  const options = vendors.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))
  return <SelectField label={t('keys.vendor')} options={options} placeholder={t('keys.market')} {...props} />
}

/** Choice of the select for a key that does not expire. */
const FOREVER = 0

function KeyForm({ onMade }: { onMade(made: Made): void }) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: createKey.body,
    start: {
      name: '',
      vendorId: null as number | null,
      permissions: [] as (typeof keyPermissions)[number][],
      expiresInDays: 90 as number | null,
    },
    toBody: ({ expiresInDays, ...rest }) => ({
      ...rest,
      expiresInDays: keyLives.find((days) => days === expiresInDays) ?? null,
    }),
    send: (body) => call(createKey, { body }),
    onSaved: (made) => {
      void queries.invalidateQueries({ queryKey: [listKeys.path] })
      onMade(made)
    },
    failureOf: (error) => ownRefusalText(t, error, 'keys'),
  })
  return (
    <Form form={form}>
      <TextField label={t('keys.name')} hint={t('keys.name.hint')} autoComplete="off" {...form.text('name')} />
      <ScopeField {...form.field('vendorId')} />
      <CheckboxList
        label={t('keys.may')}
        choices={keyPermissions.map((value) => ({
          value,
          label: t(`keys.may.${value}`),
          hint: t(`keys.may.${value}.hint`),
        }))}
        {...form.field('permissions')}
      />
      <SelectField
        label={t('keys.life')}
        options={[...keyLives, FOREVER].map((days) => ({
          value: days as number,
          label: days === FOREVER ? t('keys.life.forever') : t('keys.life.days', { days }),
        }))}
        {...form.field('expiresInDays')}
      />
      <Button type="submit" tone="aqua" busy={form.busy}>
        {t('keys.make')}
      </Button>
    </Form>
  )
}

function MadeKey({ made, onAnother }: { made: Made; onAnother(): void }) {
  const { t, lang } = useLanguage()
  return (
    <div className="grid gap-3.5">
      <p className="text-ink-2">{t('keys.ready.once')}</p>
      <SecretOnce label={t('keys.key')} text={made.key} copy={t('keys.copy')} copied={t('keys.copied')} />
      <p className="text-ink-2">{t('keys.ready.how', { header: leftToRight('Authorization: Bearer qk_…') })}</p>
      <p className="text-ink-3">
        {made.expiresAt === null
          ? t('keys.until.never')
          : t('keys.until.at', { at: formatDateTime(new Date(made.expiresAt), lang) })}
      </p>
      <a href="/api/docs" className="w-fit text-aqua-ink hover:underline">
        {t('keys.docs')}
      </a>
      <Button tone="quiet" icon={PlusIcon} onClick={onAnother}>
        {t('keys.another')}
      </Button>
    </div>
  )
}
