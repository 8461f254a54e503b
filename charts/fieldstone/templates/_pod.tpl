{{/*
The spec of a pod. Takes {root, pod (podDefaults with the component's overrides), suffix, args, ownSecret, serviceAccountName, tmpSize,
resources, env, port, pushPort, ops, preStopSeconds, gracePeriodSeconds, restartPolicy, spread, bare (without settings and secrets)}.
*/}}
{{- define "fieldstone.podSpec" -}}
{{- $root := .root }}
{{- $pod := .pod }}
serviceAccountName: {{ .serviceAccountName }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ if kindIs "map" . }}{{ .name }}{{ else }}{{ . }}{{ end }}
  {{- end }}
{{- end }}
securityContext:
  {{- toYaml $pod.podSecurityContext | nindent 2 }}
{{- with .restartPolicy }}
restartPolicy: {{ . }}
{{- end }}
{{- with .gracePeriodSeconds }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $pod.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with $pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if $pod.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml $pod.topologySpreadConstraints | nindent 2 }}
{{- else if .spread }}
topologySpreadConstraints:
  {{- $selector := include "fieldstone.selector" (dict "root" $root "component" .suffix) }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
  {{- end }}
{{- end }}
{{- with $pod.spec }}
{{ toYaml . }}
{{- end }}
{{- with $pod.initContainers }}
initContainers:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: {{ .containerName | default "fieldstone" }}
    image: {{ include "fieldstone.image" $root | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    {{- with .command }}
    command:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .args }}
    args:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    securityContext:
      {{- toYaml $pod.containerSecurityContext | nindent 6 }}
    {{- if not .bare }}
    env:
      {{- include "fieldstone.env" . | trim | nindent 6 }}
      {{- range $name, $value := .env }}
      - {name: {{ $name }}, value: {{ $value | toString | quote }}}
      {{- end }}
      {{- with $pod.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- with $pod.extraEnvFrom }}
    envFrom:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- end }}
    {{- if .ops }}
    ports:
      {{- with .port }}
      - {name: http, containerPort: {{ . }}, protocol: TCP}
      {{- end }}
      {{- with .pushPort }}
      - {name: push, containerPort: {{ . }}, protocol: TCP}
      {{- end }}
      - {name: ops, containerPort: {{ $pod.opsPort }}, protocol: TCP}
    startupProbe:
      httpGet: {path: /healthz, port: ops}
      {{- toYaml $pod.startupProbe | nindent 6 }}
    livenessProbe:
      httpGet: {path: /healthz, port: ops}
      {{- toYaml $pod.livenessProbe | nindent 6 }}
    readinessProbe:
      httpGet: {path: /readyz, port: ops}
      {{- toYaml $pod.readinessProbe | nindent 6 }}
    {{- end }}
    {{- with .preStopSeconds }}
    lifecycle:
      preStop: {sleep: {seconds: {{ . }}}}
    {{- end }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      {{- if not .bare }}
      - {name: secrets, mountPath: /etc/fieldstone, readOnly: true}
      {{- end }}
      - {name: tmp, mountPath: /tmp}
      {{- with $pod.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
  {{- if not .restartPolicy }}
  {{- with $pod.sidecars }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- end }}
volumes:
  {{- include "fieldstone.volumes" . | nindent 2 }}
  {{- with $pod.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* podDefaults with a component's overrides; null removes a value. Takes {root, values}. */}}
{{- define "fieldstone.podValues" -}}
{{- $pod := deepCopy .root.Values.podDefaults }}
{{- range $name, $value := .values.pod }}
{{- if kindIs "invalid" $value }}{{ $pod = omit $pod $name }}{{ end }}
{{- end }}
{{- toYaml (mustMergeOverwrite $pod (deepCopy (.values.pod | default dict))) }}
{{- end }}

{{/* Labels and annotations of a pod. Takes {root, component, pod, annotations}. */}}
{{- define "fieldstone.podMetadata" -}}
labels:
  {{- $own := fromYaml (include "fieldstone.selector" (dict "root" .root "component" .component)) }}
  {{- toYaml (merge $own .pod.podLabels .root.Values.commonLabels) | nindent 2 }}
{{- with merge (dict) .pod.podAnnotations (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
