// Texts of emails in the languages of status pages, with the pages' own terms for states and phases.
import type { SubscriberNotice, WindowNotice } from '../../domain/status-pages/notice.ts'
import type { AffectedState } from '../../domain/status-pages/page-state.ts'
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import type { Locale } from '../../domain/values/locale.ts'

export type EmailMessages = {
  status: Record<StatusIncidentStatus, string>
  state: Record<AffectedState, string>
  window: Record<WindowNotice['what'], string>
  affected: string
  started: string
  resolved: string
  lasted: string
  openIncident: string
  openPage: string
  /** `{page}` is the page's name. */
  because: string
  choose: string
  unsubscribe: string
  confirm: PromptMessages
  known: PromptMessages
}

/** An email requested through the form. `{page}` is the page's name. */
type PromptMessages = { heading: string; text: string; button: string; otherwise: string }

const en: EmailMessages = {
  status: {
    INVESTIGATING: 'Investigating',
    IDENTIFIED: 'Identified',
    MONITORING: 'Monitoring',
    RESOLVED: 'Resolved',
  },
  state: {
    OPERATIONAL: 'Operational',
    DEGRADED: 'Degraded',
    PARTIAL_OUTAGE: 'Partial outage',
    MAJOR_OUTAGE: 'Major outage',
  },
  window: {
    SCHEDULED: 'Maintenance scheduled',
    STARTED: 'Maintenance has begun',
    ENDED: 'Maintenance has ended',
    CANCELED: 'Maintenance canceled',
  },
  affected: 'Affected',
  started: 'Since',
  resolved: 'Resolved',
  lasted: 'Lasted',
  openIncident: 'Open the incident',
  openPage: 'Open the status page',
  because: 'You get this because you subscribed to {page}.',
  choose: 'Choose components',
  unsubscribe: 'Unsubscribe',
  confirm: {
    heading: 'Confirm your subscription',
    text: 'Somebody, probably you, asked {page} to send updates to this address. They begin once you confirm it, within two days.',
    button: 'Confirm',
    otherwise: 'It was not you? Then do nothing: nothing more is sent.',
  },
  known: {
    heading: 'You are subscribed already',
    text: 'Somebody, probably you, asked {page} to send updates to this address. It gets them already, and nothing was changed.',
    button: 'Choose components or unsubscribe',
    otherwise: 'It was not you? Then do nothing.',
  },
}

const de: EmailMessages = {
  status: {
    INVESTIGATING: 'Untersuchung',
    IDENTIFIED: 'Ursache gefunden',
    MONITORING: 'Beobachtung',
    RESOLVED: 'Behoben',
  },
  state: {
    OPERATIONAL: 'Betriebsbereit',
    DEGRADED: 'Eingeschränkt',
    PARTIAL_OUTAGE: 'Teilausfall',
    MAJOR_OUTAGE: 'Ausfall',
  },
  window: {
    SCHEDULED: 'Wartung geplant',
    STARTED: 'Wartung hat begonnen',
    ENDED: 'Wartung ist beendet',
    CANCELED: 'Wartung abgesagt',
  },
  affected: 'Betroffen',
  started: 'Seit',
  resolved: 'Behoben',
  lasted: 'Dauer',
  openIncident: 'Störung ansehen',
  openPage: 'Statusseite öffnen',
  because: 'Sie erhalten diese Nachricht, weil Sie {page} abonniert haben.',
  choose: 'Komponenten wählen',
  unsubscribe: 'Abbestellen',
  confirm: {
    heading: 'Abonnement bestätigen',
    text: 'Jemand, vermutlich Sie, möchte Meldungen von {page} an diese Adresse erhalten. Sie beginnen, sobald Sie das innerhalb von zwei Tagen bestätigen.',
    button: 'Bestätigen',
    otherwise: 'Das waren nicht Sie? Dann tun Sie nichts: Es wird nichts weiter gesendet.',
  },
  known: {
    heading: 'Sie haben bereits abonniert',
    text: 'Jemand, vermutlich Sie, möchte Meldungen von {page} an diese Adresse erhalten. Sie erhält sie bereits, und nichts wurde geändert.',
    button: 'Komponenten wählen oder abbestellen',
    otherwise: 'Das waren nicht Sie? Dann tun Sie nichts.',
  },
}

const fr: EmailMessages = {
  status: {
    INVESTIGATING: 'Analyse',
    IDENTIFIED: 'Identifié',
    MONITORING: 'Surveillance',
    RESOLVED: 'Résolu',
  },
  state: {
    OPERATIONAL: 'Opérationnel',
    DEGRADED: 'Dégradé',
    PARTIAL_OUTAGE: 'Panne partielle',
    MAJOR_OUTAGE: 'Panne majeure',
  },
  window: {
    SCHEDULED: 'Maintenance prévue',
    STARTED: 'Maintenance commencée',
    ENDED: 'Maintenance terminée',
    CANCELED: 'Maintenance annulée',
  },
  affected: 'Concerné',
  started: 'Depuis',
  resolved: 'Résolu',
  lasted: 'Durée',
  openIncident: 'Voir l’incident',
  openPage: 'Ouvrir la page d’état',
  because: 'Vous recevez ce message car vous êtes abonné à {page}.',
  choose: 'Choisir les composants',
  unsubscribe: 'Se désabonner',
  confirm: {
    heading: 'Confirmez votre abonnement',
    text: 'Quelqu’un, sans doute vous, a demandé à recevoir les messages de {page} à cette adresse. Ils commencent dès que vous confirmez, dans les deux jours.',
    button: 'Confirmer',
    otherwise: 'Ce n’était pas vous ? Ne faites rien : rien d’autre ne sera envoyé.',
  },
  known: {
    heading: 'Vous êtes déjà abonné',
    text: 'Quelqu’un, sans doute vous, a demandé à recevoir les messages de {page} à cette adresse. Elle les reçoit déjà et rien n’a changé.',
    button: 'Choisir les composants ou se désabonner',
    otherwise: 'Ce n’était pas vous ? Ne faites rien.',
  },
}

const es: EmailMessages = {
  status: {
    INVESTIGATING: 'Investigando',
    IDENTIFIED: 'Identificado',
    MONITORING: 'En observación',
    RESOLVED: 'Resuelto',
  },
  state: {
    OPERATIONAL: 'Operativo',
    DEGRADED: 'Degradado',
    PARTIAL_OUTAGE: 'Caída parcial',
    MAJOR_OUTAGE: 'Caída grave',
  },
  window: {
    SCHEDULED: 'Mantenimiento programado',
    STARTED: 'El mantenimiento ha comenzado',
    ENDED: 'El mantenimiento ha terminado',
    CANCELED: 'Mantenimiento cancelado',
  },
  affected: 'Afectado',
  started: 'Desde',
  resolved: 'Resuelto',
  lasted: 'Duración',
  openIncident: 'Ver la incidencia',
  openPage: 'Abrir la página de estado',
  because: 'Recibe este mensaje porque está suscrito a {page}.',
  choose: 'Elegir componentes',
  unsubscribe: 'Cancelar la suscripción',
  confirm: {
    heading: 'Confirme su suscripción',
    text: 'Alguien, probablemente usted, pidió recibir los avisos de {page} en esta dirección. Empezarán cuando lo confirme, en un plazo de dos días.',
    button: 'Confirmar',
    otherwise: '¿No fue usted? No haga nada: no se enviará nada más.',
  },
  known: {
    heading: 'Ya está suscrito',
    text: 'Alguien, probablemente usted, pidió recibir los avisos de {page} en esta dirección. Ya los recibe y no se ha cambiado nada.',
    button: 'Elegir componentes o cancelar la suscripción',
    otherwise: '¿No fue usted? No haga nada.',
  },
}

const ja: EmailMessages = {
  status: {
    INVESTIGATING: '調査中',
    IDENTIFIED: '原因判明',
    MONITORING: '経過観察中',
    RESOLVED: '解決済み',
  },
  state: {
    OPERATIONAL: '正常稼働中',
    DEGRADED: '性能低下',
    PARTIAL_OUTAGE: '一部障害',
    MAJOR_OUTAGE: '重大な障害',
  },
  window: {
    SCHEDULED: 'メンテナンスの予定',
    STARTED: 'メンテナンスを開始しました',
    ENDED: 'メンテナンスが終了しました',
    CANCELED: 'メンテナンスは中止されました',
  },
  affected: '対象',
  started: '発生',
  resolved: '解決',
  lasted: '継続時間',
  openIncident: 'インシデントを見る',
  openPage: 'ステータスページを開く',
  because: 'このメールは {page} を購読しているため送信されました。',
  choose: 'コンポーネントを選ぶ',
  unsubscribe: '購読を解除する',
  confirm: {
    heading: '購読の確認',
    text: 'このアドレスで {page} のお知らせを受け取る申し込みがありました。2日以内に確認すると配信が始まります。',
    button: '確認する',
    otherwise: 'お心当たりがない場合は、何もしないでください。これ以上は送信されません。',
  },
  known: {
    heading: 'すでに購読されています',
    text: 'このアドレスで {page} のお知らせを受け取る申し込みがありました。すでに配信されており、変更はありません。',
    button: 'コンポーネントを選ぶ・購読を解除する',
    otherwise: 'お心当たりがない場合は、何もしないでください。',
  },
}

export const EMAIL_MESSAGES: Record<Locale, EmailMessages> = { en, de, fr, es, ja }

export function fill(text: string, page: string): string {
  return text.replaceAll('{page}', () => page)
}

/** The subject in a word or two: an incident's phase, or what happens to a window. */
export function headOf(notice: SubscriberNotice, messages: EmailMessages): string {
  return notice.kind === 'WINDOW' ? messages.window[notice.what] : messages.status[notice.status]
}
