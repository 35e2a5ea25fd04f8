import type { Lang } from '@qatra/contract/lib/lang'
import { answerFacts, type BotFact, type FactValues, factsIn } from '@qatra/contract/whatsapp/bot'

/** The values of the facts in one language, as answers are filled with. */
export const valuesOf = (facts: readonly BotFact[], lang: Lang): FactValues => {
  const valueOf = (name: BotFact['name']) => facts.find((one) => one.name === name)?.[lang] ?? null
  return {
    fee: valueOf('fee'),
    minimum: valueOf('minimum'),
    day: valueOf('day'),
    days: valueOf('days'),
    brands: valueOf('brands'),
    hours: valueOf('hours'),
    phone: valueOf('phone'),
    vendor: valueOf('vendor'),
  }
}

/** Facts in braces that cannot be filled. */
export const missingIn = (text: string, values: FactValues): string[] =>
  factsIn(text).filter((name) => !answerFacts.some((one) => one === name && values[one] !== null))
