// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.

/** Operation id, method and path; then what the caller gives: `body`, `query`, or how a list continues. */
export const EXT_OPERATIONS = {
  alertContacts: {
    list: 'listAlertContacts GET /api/ext/v1/alert-contacts',
    create: 'createAlertContact POST /api/ext/v1/alert-contacts body',
    get: 'getAlertContact GET /api/ext/v1/alert-contacts/{id}',
    update: 'updateAlertContact PATCH /api/ext/v1/alert-contacts/{id} body',
    delete: 'deleteAlertContact DELETE /api/ext/v1/alert-contacts/{id}',
    test: 'testAlertContact POST /api/ext/v1/alert-contacts/{id}/test',
    attach: 'attachAlertContact PUT /api/ext/v1/alert-contacts/{id}/monitors/{id}',
    detach: 'detachAlertContact DELETE /api/ext/v1/alert-contacts/{id}/monitors/{id}',
  },
  escalationPolicies: {
    list: 'listEscalationPolicies GET /api/ext/v1/escalation-policies',
    get: 'getEscalationPolicy GET /api/ext/v1/escalation-policies/{id}',
    put: 'putEscalationPolicy PUT /api/ext/v1/escalation-policies/{id} body',
    delete: 'deleteEscalationPolicy DELETE /api/ext/v1/escalation-policies/{id}',
  },
  monitors: {
    uptime: 'getMonitorUptime GET /api/ext/v1/monitors/{id}/uptime query',
    responseTimes: 'getMonitorResponseTimes GET /api/ext/v1/monitors/{id}/response-times query',
    checks: 'listMonitorChecks GET /api/ext/v1/monitors/{id}/checks before',
    check: 'runMonitorCheck POST /api/ext/v1/monitors/{id}/checks body',
    evidence: 'getCheckEvidence GET /api/ext/v1/monitors/{id}/evidence/{id}',
    replay: 'replayMonitor GET /api/ext/v1/monitors/{id}/replay query',
    list: 'listMonitorDetails GET /api/ext/v1/monitors cursor',
    create: 'createMonitorDetail POST /api/ext/v1/monitors body',
    regions: 'getMonitorRegions GET /api/ext/v1/monitors/{id}/regions',
    putRegions: 'putMonitorRegions PUT /api/ext/v1/monitors/{id}/regions body',
    deleteRegions: 'deleteMonitorRegions DELETE /api/ext/v1/monitors/{id}/regions',
    addTag: 'addMonitorTag PUT /api/ext/v1/monitors/{id}/tags/{id}',
    removeTag: 'removeMonitorTag DELETE /api/ext/v1/monitors/{id}/tags/{id}',
    addPingAliases: 'addPingAliases POST /api/ext/v1/ping-aliases body',
    removePingAliases: 'removePingAliases DELETE /api/ext/v1/monitors/{id}/ping-aliases',
  },
  incidents: {
    evidenceFile: 'getEvidenceFile GET /api/ext/v1/incidents/{id}/evidence-file',
  },
  organization: {
    evidenceKey: 'getEvidenceKey GET /api/ext/v1/evidence-key',
    overview: 'getOverview GET /api/ext/v1/overview',
    usage: 'getUsage GET /api/ext/v1/usage',
    regions: 'getRegions GET /api/ext/v1/regions',
    defaultRegions: 'getOrganizationRegions GET /api/ext/v1/organization/regions',
    putDefaultRegions: 'putOrganizationRegions PUT /api/ext/v1/organization/regions body',
    deleteDefaultRegions: 'deleteOrganizationRegions DELETE /api/ext/v1/organization/regions',
    pingAliases: 'getPingAliases GET /api/ext/v1/ping-aliases',
  },
  checks: {
    run: 'runCheck POST /api/ext/v1/checks body',
  },
  tags: {
    regions: 'getTagRegions GET /api/ext/v1/tags/{id}/regions',
    putRegions: 'putTagRegions PUT /api/ext/v1/tags/{id}/regions body',
    deleteRegions: 'deleteTagRegions DELETE /api/ext/v1/tags/{id}/regions',
    list: 'listTags GET /api/ext/v1/tags',
    create: 'createTag POST /api/ext/v1/tags body',
    rename: 'renameTag PATCH /api/ext/v1/tags/{id} body',
    delete: 'deleteTag DELETE /api/ext/v1/tags/{id}',
  },
  subscribers: {
    list: 'listPageSubscribers GET /api/ext/v1/status-pages/{id}/subscribers',
    add: 'addPageSubscriber POST /api/ext/v1/status-pages/{id}/subscribers body',
    remove: 'removePageSubscriber DELETE /api/ext/v1/status-pages/{id}/subscribers/{id}',
  },
  sources: {
    bindings: 'getSourceBindings GET /api/ext/v1/sources/{id}/bindings',
    putBindings: 'putSourceBindings PUT /api/ext/v1/sources/{id}/bindings body',
    delete: 'deleteSource DELETE /api/ext/v1/sources/{id}',
  },
} as const
