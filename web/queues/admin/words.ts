import { type MessageKey, type Translate, useT } from '../../lib/language/i18n.tsx'

/** Label of a queue; a queue without one, from a later release, shows its name. */
export function useQueueName() {
  const t = useT()
  return (name: string) => {
    const key = `jobs.name.${name}`
    const words = t(key as MessageKey)
    return words === key ? name : words
  }
}

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

/** `3 minutes`: the largest unit that fits. */
export function ageIn(t: Translate, seconds: number): string {
  const unit = units.find(([, length]) => seconds >= length)
  return unit
    ? t(`jobs.age.${unit[0]}`, { count: Math.floor(seconds / unit[1]) })
    : t('jobs.age.seconds', { count: Math.floor(seconds) })
}
