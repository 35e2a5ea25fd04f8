import type { Output } from '@qatra/contract/endpoint'
import { getInboxSettings, LONGEST_CLOSED_TEXT, saveInboxSettings } from '@qatra/contract/whatsapp/inbox/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { FieldSet, Form } from '../../../ui/admin/form/Form.tsx'
import { CheckboxField, NumberField } from '../../../ui/admin/form/fields.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextArea } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { HoursField } from './HoursField.tsx'
import { RulesField } from './RulesField.tsx'

/** How the office answers conversations. */
function Settings({ settings: { version, ...start } }: { settings: Output<typeof getInboxSettings> }) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: saveInboxSettings.body,
    start: { ...start, waitMinutes: start.waitMinutes as number | null },
    toBody: ({ waitMinutes, ...values }) => ({ ...values, waitMinutes: waitMinutes ?? Number.NaN, version }),
    send: (body) => call(saveInboxSettings, { body }),
    onSaved: (saved) => {
      toast({ title: t('inboxSettings.saved') })
      queries.setQueryData(read(getInboxSettings).queryKey, saved)
    },
  })
  return (
    <Form form={form} label={t('inboxSettings.title')} className="w-full max-w-220 px-4 py-5 md:px-6">
      <FieldSet legend={t('inboxSettings.waiting')} hint={t('inboxSettings.waiting.hint')}>
        <NumberField
          label={t('inboxSettings.waitMinutes')}
          unit={t('inboxSettings.minutes')}
          className="max-w-60"
          {...form.field('waitMinutes')}
        />
      </FieldSet>
      <FieldSet legend={t('inboxSettings.rules')} hint={t('inboxSettings.rules.hint')}>
        <RulesField {...form.field('rules')} />
      </FieldSet>
      <FieldSet legend={t('inboxSettings.hours')} hint={t('inboxSettings.hours.hint')}>
        <HoursField {...form.field('hours')} />
        <div className="grid items-start gap-4 md:grid-cols-2">
          <TextArea
            label={t('inboxSettings.closedTextAr')}
            hint={t('inboxSettings.closedText.hint')}
            dir="rtl"
            lang="ar"
            rows={2}
            maxLength={LONGEST_CLOSED_TEXT}
            {...form.text('closedTextAr')}
          />
          <TextArea
            label={t('inboxSettings.closedText')}
            dir="ltr"
            lang="en"
            rows={2}
            maxLength={LONGEST_CLOSED_TEXT}
            {...form.text('closedText')}
          />
        </div>
      </FieldSet>
      <FieldSet legend={t('inboxSettings.rating')}>
        <CheckboxField
          label={t('inboxSettings.asksRating')}
          hint={t('inboxSettings.asksRating.hint')}
          {...form.field('asksRating')}
        />
      </FieldSet>
      <div className="foot-bar flex justify-end border-t border-line bg-page py-3 max-md:static">
        <Button type="submit" tone="aqua" busy={form.busy}>
          {t('inboxSettings.save')}
        </Button>
      </div>
    </Form>
  )
}

function InboxSettingsPage() {
  const t = useT()
  const { data: settings } = useQuery(read(getInboxSettings))
  return (
    <AdminPageLayout title={t('inboxSettings.title')} head={<SettingsTabs current="inbox-settings" />}>
      {settings && <Settings key={settings.version} settings={settings} />}
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: InboxSettingsPage,
  load: ({ queries }) => queries.ensureQueryData(read(getInboxSettings)),
  head: ({ t }) => ({ title: t('inboxSettings.title'), hidden: true }),
}
