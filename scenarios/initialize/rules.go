package initialize

import "strings"

// allRules returns the rules by field, or by parent and field. Fields without a rule are dropped: commands, environments,
// probes and all else that does not matter to scheduling. A test checks that all fields have rules that berth reads.
func allRules() map[string]rule {
	all := map[string]rule{
		"metadata.name": ownName, "annotations": annotations, "ownerReferences": owners, "labels": labels, "uid": named("uid"),
		"namespace": named("namespace"), "namespaces": named("namespace"), "reason": reason,
		"conditions": conditions,

		"matchLabels": labels, "nodeSelector": labels, "selector": selector, "key": keyOf, "values": valuesOf,
		"topologyKey": named("key"), "topologyKeys": named("key"), "matchLabelKeys": named("key"), "mismatchLabelKeys": named("key"),
		"taints.value": valueOfKey, "tolerations.value": valueOfKey, "exitCodes.values": keep, "conditions.status": keep,

		"nodeName": named("node"), "nominatedNodeName": named("node"), "priorityClassName": named("priorityclass"),
		"runtimeClassName": named("runtimeclass"), "handler": named("handler"), "schedulingGates.name": named("key"),
		"containers.name": named("container"), "initContainers.name": named("container"), "volumes.name": named("volume"),
		"containerStatuses.name": named("container"), "initContainerStatuses.name": named("container"),
		"containers.image": images, "initContainers.image": images, "images.names": named("image"), "image.reference": images,
		"volumes.image": walk, "os.name": keep, "disruptedPods": podKeys, "hostIP": address,

		"claimName": claims, "claimRef.name": claims, "storageClassName": named("storageclass"), "volumeName": named("persistentvolume"),
		"persistentVolumeName": named("persistentvolume"), "volumeAttributesClassName": named("volumeattributesclass"),
		"csi.driver": named("driver"), "drivers.name": named("driver"), "attacher": named("driver"), "provisioner": named("driver"),
		"driverName": named("driver"), "nodeID": named("nodeid"), "volumeHandle": disks, "volumeID": disks, "pdName": disks,
		"diskName": disks, "diskURI": disks, "iqn": disks, "targetPortal": constant("192.0.2.1:3260"), "rbd.image": disks, "pool": disks,
		"monitors": named("monitor"), "path": constant("/var/data"), "parameters": parameters,
	}
	for _, list := range []struct {
		rule   rule
		fields string
	}{
		{amounts, "requests limits capacity allocatable allocatedResources podFixed overhead max min default defaultRequest maxLimitRequestRatio"},
		{walk, `metadata spec status template jobTemplate volumeClaimTemplate volumeClaimTemplates
			affinity nodeAffinity podAffinity podAntiAffinity requiredDuringSchedulingIgnoredDuringExecution
			preferredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms matchExpressions matchFields matchLabelExpressions
			preference podAffinityTerm labelSelector namespaceSelector required allowedTopologies nodeTopology scheduling
			topologySpreadConstraints tolerations taints schedulingGates containers initContainers containerStatuses
			initContainerStatuses resources ports volumes images restartPolicyRules exitCodes os
			persistentVolumeClaim ephemeral csi awsElasticBlockStore gcePersistentDisk azureDisk cinder portworxVolume
			iscsi rbd hostPath local claimRef drivers source inlineVolumeSpec ordinals`},
		{bare, "azureFile vsphereVolume nfs fc flexVolume glusterfs quobyte scaleIO storageos photonPersistentDisk cephfs flocker emptyDir"},
		{keep, `apiVersion kind creationTimestamp deletionTimestamp deletionGracePeriodSeconds
			operator effect tolerationSeconds weight maxSkew minDomains whenUnsatisfiable nodeAffinityPolicy nodeTaintsPolicy
			priority preemptionPolicy schedulerName hostNetwork hostUsers hostPID hostIPC restartPolicy terminationGracePeriodSeconds
			containerPort hostPort protocol action phase startTime type sizeBytes declaredFeatures unschedulable
			minAvailable maxUnavailable unhealthyPodEvictionPolicy disruptionsAllowed currentHealthy desiredHealthy expectedPods
			accessModes volumeMode persistentVolumeReclaimPolicy reclaimPolicy volumeBindingMode allowVolumeExpansion readOnly lun
			count storageCapacity attachRequired maximumVolumeSize attached value globalDefault minMember scheduleTimeoutSeconds
			replicas podManagementPolicy start parallelism completions completionMode suspend manualSelector schedule timeZone
			concurrencyPolicy`},
	} {
		for _, field := range strings.Fields(list.fields) {
			all[field] = list.rule
		}
	}
	all["spec.limits"] = limitRange
	return all
}

// valueOfKey is the value of a taint or toleration.
func valueOfKey(s *scrubber, in map[string]any, v tree) tree {
	key, _ := in["key"].(string)
	return texts(v, func(text string) string { return s.value(key, text) })
}

// limitRange are the limits of a LimitRange.
func limitRange(s *scrubber, in map[string]any, v tree) tree {
	if s.kind == "LimitRange" {
		return walk(s, in, v)
	}
	return amounts(s, in, v)
}

// address replaces the IP address of a node on which containers request a port.
func address(s *scrubber, _ map[string]any, v tree) tree {
	return texts(v, func(ip string) string {
		if ip == "0.0.0.0" || ip == "127.0.0.1" || ip == "::" {
			return ip
		}
		return s.of("address", ip)
	})
}

// parameters drops the parameters of drivers. For a VolumeAttributesClass it keeps that there are some.
func parameters(s *scrubber, _ map[string]any, _ tree) tree {
	if s.kind == "VolumeAttributesClass" {
		return map[string]any{"given": "true"}
	}
	return nil
}
