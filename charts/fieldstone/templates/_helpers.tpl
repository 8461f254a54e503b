{{- define "fieldstone.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* The prefix of every object's name, short enough for all suffixes. */}}
{{- define "fieldstone.fullname" -}}
{{- $name := include "fieldstone.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* The selector of a Deployment; it must never change. Takes {root, component}. */}}
{{- define "fieldstone.selector" -}}
app.kubernetes.io/name: {{ include "fieldstone.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Labels of an object. Takes {root, component}. */}}
{{- define "fieldstone.labels" -}}
{{- $own := fromYaml (include "fieldstone.selector" .) }}
{{- $_ := set $own "app.kubernetes.io/version" (.root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | trimSuffix "-") }}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service }}
{{- $_ := set $own "app.kubernetes.io/part-of" "fieldstone" }}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_") }}
{{- toYaml (merge $own .root.Values.commonLabels) }}
{{- end }}

{{/* Name, labels and annotations of an object. Takes {root, component, suffix, annotations, labels}. */}}
{{- define "fieldstone.metadata" -}}
name: {{ include "fieldstone.fullname" .root }}{{ with .suffix }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- $labels := fromYaml (include "fieldstone.labels" .) }}
  {{- toYaml (merge (dict) (.labels | default dict) $labels) | nindent 2 }}
{{- $annotations := merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "fieldstone.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "fieldstone.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "fieldstone.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{/* The components: key in the values, suffix of names, role, whether it serves requests, and seconds to drain. */}}
{{- define "fieldstone.components" -}}
- {key: gateway, suffix: gateway, role: gateway, serves: true, drainSeconds: 15}
- {key: worker, suffix: worker, role: worker, drainSeconds: 20}
- {key: workerMedia, suffix: worker-media, role: worker, drainSeconds: 20}
- {key: edge, suffix: edge, role: edge, serves: true, drainSeconds: 15}
{{- end }}

{{/* The host of an origin. */}}
{{- define "fieldstone.host" -}}
{{- (urlParse .).host | splitList ":" | first }}
{{- end }}

{{/* The task queues of one entry of a worker's queues. */}}
{{- define "fieldstone.taskQueues" -}}
{{- get (dict "general" "[fieldstone, fieldstone-suspects, fieldstone-fetch]" "inbox" "[fieldstone-inbox, fieldstone-outbox]" "media" "[fieldstone-media, fieldstone-video]") . }}
{{- end }}

{{/* Whether work of these queues fetches from the internet. */}}
{{- define "fieldstone.fetches" -}}
{{- if or (has "general" .) (has "inbox" .) }}true{{ end }}
{{- end }}
