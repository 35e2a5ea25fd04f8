import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import { createLink, LINK_HOURS, listLinks } from '@qatra/contract/links/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { ownRefusalText } from '../../lib/refusal.ts'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxField, SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { QrCode } from '../../ui/admin/QrCode.tsx'
import { SecretOnce } from '../../ui/admin/SecretOnce.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { useTargets } from './target.ts'

type Made = Output<typeof createLink> & { isSent: boolean }

const lives = [1, 6, 24, 72, 168] as const
/** Form of a new link; afterwards shows the link, which cannot be shown again. */
export function NewLink({ onClose }: { onClose(): void }) {
  const t = useT()
  const [made, setMade] = useState<Made | null>(null)
  return (
    <SidePanel label={t('links.new')} title={t(made ? 'links.ready' : 'links.new')} onClose={onClose}>
      <PanelPart>
        {made ? <MadeLink made={made} onAnother={() => setMade(null)} /> : <LinkForm onMade={setMade} />}
      </PanelPart>
    </SidePanel>
  )
}

function LinkForm({ onMade }: { onMade(made: Made): void }) {
  const t = useT()
  const queries = useQueryClient()
  const { options } = useTargets()
  const form = useForm({
    body: createLink.body,
    start: { phone: '', redirectUrl: '/' as string | null, expiresInHours: LINK_HOURS as number | null, send: false },
    toBody: ({ expiresInHours, ...rest }) => ({ ...rest, expiresInHours: expiresInHours ?? LINK_HOURS }),
    send: async (body) => ({ ...(await call(createLink, { body })), isSent: body.send ?? false }),
    onSaved: (made) => {
      void queries.invalidateQueries({ queryKey: [listLinks.path] })
      onMade(made)
    },
    failureOf: (error) => ownRefusalText(t, error, 'links'),
  })
  return (
    <Form form={form}>
      <TextField
        label={t('links.phone')}
        hint={t('links.phone.hint')}
        ltr
        type="tel"
        inputMode="tel"
        autoComplete="off"
        {...form.text('phone')}
      />
      <SelectField label={t('links.leadsTo')} options={options} {...form.field('redirectUrl')} />
      <SelectField
        label={t('links.life')}
        options={lives.map((hours) => ({ value: hours as number, label: t(`links.life.${hours}`) }))}
        {...form.field('expiresInHours')}
      />
      <CheckboxField label={t('links.send')} hint={t('links.send.hint')} {...form.field('send')} />
      <Button type="submit" tone="aqua" busy={form.busy}>
        {t('links.make')}
      </Button>
    </Form>
  )
}

function MadeLink({ made, onAnother }: { made: Made; onAnother(): void }) {
  const { t, lang } = useLanguage()
  return (
    <div className="grid gap-3.5">
      <p className="text-ink-2">
        {t('links.ready.once')} {made.isSent && t('links.ready.sent')}
      </p>
      <SecretOnce label={t('links.link')} text={made.url} copy={t('links.copy')} copied={t('links.copied')} />
      <figure className="grid justify-items-center gap-2">
        <QrCode text={made.url} label={t('links.qr')} />
        <figcaption className="text-ink-3">{t('links.qr.hint')}</figcaption>
      </figure>
      <p className="text-ink-3">{t('links.ready.until', { at: formatDateTime(new Date(made.expiresAt), lang) })}</p>
      <Button tone="quiet" icon={PlusIcon} onClick={onAnother}>
        {t('links.another')}
      </Button>
    </div>
  )
}
