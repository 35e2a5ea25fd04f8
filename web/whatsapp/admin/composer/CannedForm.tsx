import type { CannedReply } from '@qatra/contract/whatsapp/inbox/canned-replies'
import * as api from '@qatra/contract/whatsapp/inbox/canned-replies'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { SwitchField } from '../../../ui/admin/form/fields.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field.tsx'

const nothing = { shortcut: '', title: '', titleAr: '', body: '', bodyAr: '', isActive: true }

interface FormProps {
  reply: CannedReply | null
  onDone(): void
  onCancel(): void
}

/** Form of a canned reply in both languages, new or existing. */
export function CannedForm({ reply, onDone, onCancel }: FormProps) {
  const t = useT()
  const form = useForm({
    body: api.createCannedReply.body,
    start: reply ? { ...nothing, ...reply } : nothing,
    toBody: ({ shortcut, title, titleAr, body, bodyAr, isActive }) => ({
      shortcut,
      title,
      titleAr,
      body,
      bodyAr,
      isActive,
    }),
    send: (body) =>
      reply
        ? call(api.changeCannedReply, { params: { id: String(reply.id) }, body })
        : call(api.createCannedReply, { body }),
    onSaved: onDone,
    failureOf: ({ code }) => (code === 'SHORTCUT_TAKEN' ? t('inbox.canned.taken') : null),
  })
  return (
    <Dialog
      open
      title={t(reply ? 'inbox.canned.change' : 'inbox.canned.new')}
      className="admin max-w-150"
      safe={{ label: t('admin.cancel'), onChoose: onCancel }}
      action={{ label: t('admin.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <div className="-mx-1 mt-3 max-h-[66dvh] overflow-y-auto px-1 pb-1 text-ink">
        <Form form={form} label={t(reply ? 'inbox.canned.change' : 'inbox.canned.new')}>
          <TextField
            label={t('inbox.canned.shortcut')}
            hint={t('inbox.canned.shortcut.hint')}
            dir="auto"
            {...form.text('shortcut')}
          />
          <div className="grid gap-4 md:grid-cols-2">
            <TextField label={t('inbox.canned.titleAr')} dir="rtl" lang="ar" {...form.text('titleAr')} />
            <TextField label={t('inbox.canned.title')} dir="ltr" lang="en" {...form.text('title')} />
          </div>
          <TextArea
            label={t('inbox.canned.bodyAr')}
            hint={t('inbox.canned.oneLanguage')}
            dir="rtl"
            lang="ar"
            rows={2}
            maxLength={1024}
            {...form.text('bodyAr')}
          />
          <TextArea
            label={t('inbox.canned.body')}
            hint={t('inbox.canned.gaps')}
            dir="ltr"
            lang="en"
            rows={2}
            maxLength={1024}
            {...form.text('body')}
          />
          <SwitchField label={t('inbox.canned.active')} {...form.field('isActive')} />
        </Form>
      </div>
    </Dialog>
  )
}
